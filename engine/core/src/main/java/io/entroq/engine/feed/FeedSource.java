package io.entroq.engine.feed;

import java.util.UUID;
import java.util.function.LongSupplier;
import java.util.function.LongUnaryOperator;
import java.util.function.Supplier;

/**
 * What a feed asks of its engine; any thread.
 *
 * @param visible the last step that may be shown, applied or not
 * @param lastUntil of a log time in milliseconds since the epoch: a step that is not before the
 *     last one of that time or an earlier one; {@link Long#MAX_VALUE} while more of those may come
 * @param logId the id of the log; null before its first record
 * @param nanoTime monotonic time in nanoseconds from any origin
 * @param wallMs the wall clock, in milliseconds since the epoch
 * @param wakeEngine makes the applying thread look at its switch soon, even without a command, and
 *     note the time
 */
public record FeedSource(
    LongSupplier visible,
    LongUnaryOperator lastUntil,
    Supplier<UUID> logId,
    LongSupplier nanoTime,
    LongSupplier wallMs,
    Runnable wakeEngine) {}
