package io.entroq.engine.local;

import io.entroq.engine.gateway.GatewayLimits;
import java.time.Duration;

/**
 * What callers of an engine may have under way, and how large it may be.
 *
 * @param requestsMax requests at once, without waiting claims
 * @param waitingClaimsMax claims that wait at once
 * @param bytesMax bytes of requests that are not small, all together
 * @param roomTimeout how long a caller waits for room when one of these is reached
 * @param listingBytesMax bytes of a listing that is answered in one piece
 * @param limits of a single request
 */
public record CallerBounds(
    int requestsMax,
    int waitingClaimsMax,
    long bytesMax,
    Duration roomTimeout,
    int listingBytesMax,
    GatewayLimits limits) {}
