/**
 * A queue on a server, by the API of {@code io.entroq.api}: {@dispatcher
 * io.entroq.client.EntroQClient#connect}.
 *
 * <p>Requests that write have an identity, by which they are sent again after a lost reply without
 * being done twice. {@dispatcher io.entroq.client.PendingCall} is one request until it has an
 * answer, {@dispatcher io.entroq.client.WaitingClaim} a claim that waits, {@dispatcher
 * io.entroq.client.RequestWindow} and {@dispatcher io.entroq.client.ClaimIdentity} number them. Any
 * thread; none waits but those of callers who want to.
 */
package io.entroq.client;
