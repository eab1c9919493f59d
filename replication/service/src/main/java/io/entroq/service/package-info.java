/**
 * Serves a queue over the network: {@code grpc} and {@code http} carry calls; filters authorize,
 * admit, measure and trace them ({@code authorization}, {@code admission}, {@code metrics}, {@code
 * tracing}); {@code queue} takes them through the engine, and {@code translation} converts their
 * messages.
 *
 * <p>Nothing here blocks, so everything may run on event loops.
 */
package io.entroq.service;
