/**
 * Carries requests to a server and answers back. It knows of messages and connections, and nothing
 * of tasks, numbers of requests, or when to ask again.
 *
 * <p>{@dispatcher io.entroq.client.transport.Transport} is all that the client knows of it. Any
 * thread; nothing blocks but {@dispatcher io.entroq.client.transport.Listing}. Receivers are told
 * on a thread of the transport's and must be quick.
 */
package io.entroq.client.transport;
