/**
 * The service behind every connection, whatever it speaks.
 *
 * <p>{@code edge} turns messages into commands and results into messages, for both APIs; {@code
 * call} takes a request through the engine and back; {@code grpc} puts that behind gRPC, {@code
 * http} behind HTTP, with {@code json} for its messages. Nothing here blocks, so all of it may run
 * on event loops.
 */
package io.entroq.service;
