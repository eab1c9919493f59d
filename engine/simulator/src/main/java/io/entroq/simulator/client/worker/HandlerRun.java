package io.entroq.simulator.client.worker;

import io.entroq.api.worker.Outcome;
import java.util.function.Supplier;

/**
 * The plan of one run of a handler.
 *
 * @param lastsNs duration in nanoseconds
 * @param stopsWhenLost whether it ends at once when its lease is lost
 * @param outcome returned at the end unless the run throws; may supply null
 * @param failure what it throws; null: nothing
 */
record HandlerRun(
    long lastsNs, boolean stopsWhenLost, Supplier<Outcome> outcome, Throwable failure) {}
