package io.entroq.cluster.member;

/**
 * What two members must agree in that have applied the same.
 *
 * @param sequence of the last record
 * @param history digest of all that happened
 * @param content digest of what is there
 */
public record StateDigest(long sequence, long history, long content) {}
