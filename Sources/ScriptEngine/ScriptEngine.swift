/// ScriptEngine
