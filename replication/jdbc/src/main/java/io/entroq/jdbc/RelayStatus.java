package io.entroq.jdbc;

import java.util.Optional;

/**
 * What a {@link Relay} has done. Immutable.
 *
 * @param relayed rows that it has brought to the queue
 * @param conflicts how often another relay was faster, and a batch was left to it
 * @param problem why rows wait at present; empty if all is well
 * @param isRunning whether it still relays
 */
public record RelayStatus(
    long relayed, long conflicts, Optional<String> problem, boolean isRunning) {}
