package io.entroq.service.admission;

import java.time.Duration;

/**
 * The concurrency limits of a server.
 *
 * @param requestsMax running requests, except waiting claims; listings and streams may each have as
 *     many again
 * @param claimsMax claims that wait for a task
 * @param bytesMax bytes of requests and claims, and of their responses until they have been read;
 *     listings and streams may each have half as many again
 * @param responseBytesMax bytes of a listing in one response
 * @param queuedCallsMax calls that wait to be admitted
 * @param queuedBytesMax bytes of calls that wait to be admitted
 * @param waitMax how long a call waits to be admitted
 */
public record AdmissionConfig(
    int requestsMax,
    int claimsMax,
    long bytesMax,
    int responseBytesMax,
    int queuedCallsMax,
    long queuedBytesMax,
    Duration waitMax) {}
