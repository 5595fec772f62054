/// Notes
