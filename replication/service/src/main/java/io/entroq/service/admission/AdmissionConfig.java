package io.entroq.service.admission;

import java.time.Duration;

/**
 * How much runs at a time, and how much waits.
 *
 * @param requestsMax running requests that do not wait for a task; as many listings, and as many
 *     streams, besides
 * @param claimsMax claims that wait for a task
 * @param bytesMax bytes of requests and claims, and of their responses until they have been read;
 *     half of it besides for listings, and half for streams
 * @param responseBytesMax bytes of a listing in one response
 * @param queuedCallsMax calls that wait to be admitted
 * @param queuedBytesMax bytes of these
 * @param waitMax how long each of them waits
 */
public record AdmissionConfig(
    int requestsMax,
    int claimsMax,
    long bytesMax,
    int responseBytesMax,
    int queuedCallsMax,
    long queuedBytesMax,
    Duration waitMax) {}
