/**
 * A queue on a server, by the API of {@code io.entroq.api}: {@link
 * io.entroq.client.EntroQClient#connect}.
 *
 * <p>Requests that write have an identity, by which they are sent again after a lost reply without
 * being done twice. {@link io.entroq.client.Ask} is one request until it has an answer, {@link
 * io.entroq.client.WaitingClaim} a claim that waits, {@link io.entroq.client.Window} and {@link
 * io.entroq.client.ClaimLane} number them. Any thread; none waits but those of callers who want to.
 */
package io.entroq.client;
