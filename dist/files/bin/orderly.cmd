@echo off
rem Runs Orderly with the Java 25 of JAVA_HOME or of the PATH. Options of your own for the JVM: JDK_JAVA_OPTIONS.
setlocal
set "LIB=%~dp0..\lib"
set "JAVA=java"
if defined JAVA_HOME set "JAVA=%JAVA_HOME%\bin\java.exe"
set "OPTIONS=-XX:+ExitOnOutOfMemoryError"
if /i not "%~1"=="serve" if /i not "%~1"=="demo" set "OPTIONS=-XX:TieredStopAtLevel=1 -XX:+UseSerialGC"
"%JAVA%" %OPTIONS% --enable-native-access=ALL-UNNAMED -cp "%LIB%\orderly.jar" dev.orderly.cli.Main %*
exit /b %ERRORLEVEL%
