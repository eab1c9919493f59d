/**
 * The log of the process, on standard error.
 *
 * <p>Everything goes through {@code java.util.logging}: gRPC, OpenTelemetry and the engine use it
 * directly, the rest through SLF4J. Commands that do not log do not start it. Called when the
 * process starts; formatters run on the thread that logs.
 *
 * <p>Task values and credentials are never logged.
 */
package io.entroq.server.logging;
