/**
 * The log of the process, on standard error.
 *
 * <p>Everything goes through the JDK's logging, which gRPC, OpenTelemetry and the engine use
 * directly and the rest by SLF4J. Commands that do not log do not start it. Called at the start of
 * a process; formatters run on the logging thread.
 *
 * <p>Task values and credentials are never logged.
 */
package io.entroq.server.logging;
