/**
 * The log of the process, on standard error.
 *
 * <p>All of it goes through the logging of the JDK, which gRPC, OpenTelemetry and the engine use
 * anyway, and which the rest reaches by SLF4J; so there is one output, and one place to say what it
 * looks like. Commands that need no log do not pay for its start.
 *
 * <p>Lines tell of what happened to the server. What is in tasks, and the credentials of callers,
 * never stand in them.
 */
package io.entroq.server.logging;
