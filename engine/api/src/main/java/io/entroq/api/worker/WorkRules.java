package io.entroq.api.worker;

import io.entroq.api.Claim;
import io.entroq.api.codec.ValueCodec;
import java.time.Duration;
import java.util.function.IntFunction;

/**
 * By what a worker decides; see {@link WorkerBuilder} for what each means.
 *
 * @param <T> what values are decoded to
 * @param requestPause from failures in a row, from 1, to the pause after them
 * @param listener throws nothing
 */
record WorkRules<T>(
    Claim claim,
    ValueCodec<T> codec,
    CommitPlan plan,
    int maxClaims,
    boolean claimWithCommit,
    IntFunction<Duration> requestPause,
    WorkerListener listener) {}
