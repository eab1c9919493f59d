/**
 * The API of {@code io.entroq.api} for a queue on a server: {@link
 * io.entroq.client.EntroQClient#connect}.
 *
 * <p>{@link io.entroq.client.ServerConnector} asks the first server what it is, and {@link
 * io.entroq.client.ServerCalls} makes calls to it. Writes carry an identity, so a retry after a
 * lost reply takes effect once. {@link io.entroq.client.PendingCall} is one request with its
 * retries, {@link io.entroq.client.WaitingClaim} a claim that waits. {@link
 * io.entroq.client.RequestWindow} and {@link io.entroq.client.ClaimIdentity} number them.
 *
 * <p>All classes may be used on any thread. Only callers of blocking methods wait.
 */
package io.entroq.client;
