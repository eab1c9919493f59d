package io.entroq.service.admission;

import java.time.Duration;

/**
 * How much goes on at a time.
 *
 * @param requestsMax how many requests that do not wait for a task
 * @param claimsMax how many claims that do
 * @param bytesMax how long all of these may be, and the answers whose readers have not taken them;
 *     and as long once more what lists things, half of that for streams
 * @param answerBytesMax how long an answer may be that lists things
 * @param turnsMax how many calls wait for their turn
 * @param turnBytesMax how long they may be in all
 * @param waitMax how long each of them waits
 */
public record AdmissionConfig(
    int requestsMax,
    int claimsMax,
    long bytesMax,
    int answerBytesMax,
    int turnsMax,
    long turnBytesMax,
    Duration waitMax) {}
