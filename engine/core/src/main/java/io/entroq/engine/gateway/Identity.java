package io.entroq.engine.gateway;

/**
 * Whose request it is, and which one.
 *
 * @param clientHigh upper half of the client's 16 bytes; both halves are not zero together
 * @param clientLow lower half
 * @param number of the request, from 1
 * @param ackedBelow the replies to all numbers below it have arrived; from 1 to {@code number}
 */
public record Identity(long clientHigh, long clientLow, long number, long ackedBelow) {}
