package io.entroq.service.limit;

import io.entroq.service.translation.Refusal;

/**
 * Each limit that this module enforces, by the name that refusals give it. {@code LIMITS.md} lists
 * them with their defaults, who enforces them, and what the caller sees.
 */
public enum Limit {
  /** Open connections of a port. */
  CONNECTIONS("connections", 16_384),
  /** Calls of one gRPC connection; gRPC itself tells clients. */
  CONNECTION_CALLS("connection-calls", 16_384),
  /** Open gRPC calls over all connections, whatever they do. */
  CALLS("calls", 32_768),
  /** Bytes of gRPC requests that have not arrived as a whole. */
  INCOMING_BYTES("incoming-bytes"),
  /** Bytes of requests and responses over HTTP. */
  HTTP_BYTES("http-bytes"),
  /** Running calls that change something, waiting claims aside. */
  REQUESTS("requests", 4_096),
  /** Claims that wait for a task. */
  WAITING_CLAIMS("waiting-claims", 16_384),
  /** Listings in one response. */
  LISTINGS("listings", 4_096),
  /** Listings in several responses. */
  STREAMS("streams", 4_096),
  /** Bytes of requests and claims, and of their responses. */
  CALL_BYTES("call-bytes"),
  /** Bytes of listings in one response. */
  LISTING_BYTES("listing-bytes"),
  /** Bytes of listings in several responses. */
  STREAM_BYTES("stream-bytes"),
  /** Calls that wait to be admitted. */
  QUEUED_CALLS("queued-calls", 8_192),
  /** Bytes of calls that wait to be admitted. */
  QUEUED_BYTES("queued-bytes", 16 << 20),
  /** How long a call waits to be admitted, in milliseconds. */
  QUEUE_WAIT("queue-wait", 10_000),
  /** Requests to the authorizer at a time. */
  AUTHORIZATIONS("authorizations", 128),
  /** Calls that wait for the authorizer. */
  QUEUED_AUTHORIZATIONS("queued-authorizations", 4_096),
  /** Requests that wait for the first one of their client. */
  EARLY_REQUESTS("early-requests", 4_096),
  /** Open requests of a stream. */
  STREAM_WINDOW("stream-window", 1_024),
  /** Bytes of a request, or of a response. */
  MESSAGE_BYTES("message-bytes", 10 << 20),
  /** Bytes of the headers of a request. */
  HEADER_BYTES("header-bytes", 8 << 10),
  /** Bytes of the first line of an HTTP request. */
  LINE_BYTES("line-bytes", 64 << 10),
  /** How long nothing of a response is read, or of an HTTP request arrives, in milliseconds. */
  STALL("stall", 60_000),
  /** How long an HTTP connection has no request, in milliseconds. */
  HTTP_IDLE("http-idle", 120_000),
  /** Backups that are sent at a time. */
  BACKUPS("backups", 1);

  private final String label;
  private final long standard;

  /** A limit whose default is a part of the heap. */
  Limit(String label) {
    this(label, 0);
  }

  Limit(String label, long standard) {
    this.label = label;
    this.standard = standard;
  }

  /** Its name in messages and in {@code LIMITS.md}. */
  public String label() {
    return label;
  }

  /** Its default; 0 if that is a part of the heap. */
  public int standard() {
    return (int) standard;
  }

  /** Puts the name of this limit in front of a message. */
  public String named(String message) {
    return "limit " + label + ": " + message;
  }

  /** The refusal of a call that this limit has no room for: RESOURCE_EXHAUSTED, or HTTP 429. */
  public Refusal refusal(String message) {
    return Refusal.exhausted(named(message));
  }
}
