package io.entroq.engine.local;

import io.entroq.engine.gateway.GatewayLimits;
import java.time.Duration;

/**
 * Limits for the callers of an engine.
 *
 * @param requestsMax requests in flight, without waiting claims
 * @param waitingClaimsMax claims that wait at once
 * @param bytesMax bytes of requests in flight that are not small, together
 * @param roomTimeout how long a caller waits for room at one of these limits
 * @param listingBytesMax bytes of a listing that is returned in one piece
 * @param limits of a single request
 */
public record CallerBounds(
    int requestsMax,
    int waitingClaimsMax,
    long bytesMax,
    Duration roomTimeout,
    int listingBytesMax,
    GatewayLimits limits) {}
