package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.codec.ValueCodec;
import java.time.Duration;
import java.util.List;
import java.util.function.IntFunction;

/**
 * Rules by which a worker decides; see {@link WorkerBuilder}.
 *
 * @param <T> the type of the decoded values
 * @param quarantineOn what handlers throw if a retry would not help
 * @param maxRuntime how long a handler may run; zero for no limit
 * @param requestPause maps consecutive failures, from 1, to the pause after them
 * @param listener never throws
 */
record WorkRules<T>(
    Claim claim,
    ValueCodec<T> codec,
    CommitPlan plan,
    int maxClaims,
    List<Class<? extends Throwable>> quarantineOn,
    Duration maxRuntime,
    boolean claimWithCommit,
    IntFunction<Duration> requestPause,
    WorkerListener listener) {}
