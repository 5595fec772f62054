/// CRDTBridge
