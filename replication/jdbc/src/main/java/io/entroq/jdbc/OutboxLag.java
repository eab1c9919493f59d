package io.entroq.jdbc;

import java.time.Duration;

/**
 * How far the relays are behind, as the database knows it. Immutable.
 *
 * @param waiting number of committed rows that are not known to be in the queue
 * @param oldest age of the oldest of them, by the clock of the database; zero if there is none
 * @param setAside number of rows that were refused and wait for somebody
 */
public record OutboxLag(long waiting, Duration oldest, long setAside) {}
