package io.entroq.engine.feed;

import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.Supplier;

/**
 * What a feed asks of its engine; any thread.
 *
 * @param visible the last step that may be shown, applied or not
 * @param logId the id of the log; null before its first record
 * @param nanoTime monotonic time in nanoseconds from any origin
 * @param wallMs the wall clock, in milliseconds since the epoch
 * @param wakeEngine makes the applying thread look at its switch soon, even without a command
 */
public record FeedSource(
    LongSupplier visible,
    Supplier<UUID> logId,
    LongSupplier nanoTime,
    LongSupplier wallMs,
    Runnable wakeEngine) {}
