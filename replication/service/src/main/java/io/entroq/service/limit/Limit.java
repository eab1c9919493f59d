package io.entroq.service.limit;

import io.entroq.service.translation.Refusal;

/**
 * The limits that this module enforces, by their names in refusals. {@code LIMITS.md} lists their
 * defaults, what enforces them, and what the caller sees.
 */
public enum Limit {
  /** Open connections of a port. */
  CONNECTIONS("connections", 16_384),
  /** Concurrent calls of one gRPC connection, which gRPC announces to clients. */
  CONNECTION_CALLS("connection-calls", 16_384),
  /** Open gRPC calls over all connections, waiting ones included. */
  CALLS("calls", 32_768),
  /** Bytes of gRPC requests that have not completely arrived. */
  INCOMING_BYTES("incoming-bytes"),
  /** Bytes of requests and responses over HTTP. */
  HTTP_BYTES("http-bytes"),
  /** Running calls that write, except waiting claims. */
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
  /** Concurrent requests to the authorizer. */
  AUTHORIZATIONS("authorizations", 128),
  /** Calls that wait for the authorizer. */
  QUEUED_AUTHORIZATIONS("queued-authorizations", 4_096),
  /** Requests that wait for their client's first one. */
  EARLY_REQUESTS("early-requests", 4_096),
  /** Open requests of a stream. */
  STREAM_WINDOW("stream-window", 1_024),
  /** Bytes of one request or response. */
  MESSAGE_BYTES("message-bytes", 10 << 20),
  /** Bytes of the headers of a request. */
  HEADER_BYTES("header-bytes", 8 << 10),
  /** Bytes of the first line of an HTTP request. */
  LINE_BYTES("line-bytes", 64 << 10),
  /** How long a response may go unread, or an HTTP request take to arrive, in milliseconds. */
  STALL("stall", 60_000),
  /** How long an HTTP connection may be without a request, in milliseconds. */
  HTTP_IDLE("http-idle", 120_000),
  /** Concurrent backups. */
  BACKUPS("backups", 1),
  /** Images of snapshots that are sent to other members at a time. */
  IMAGES("images", 1),

  /** Redrives that run at a time. */
  REDRIVES("redrives", 4),

  /** Feeds that are open at a time. */
  FEEDS("feeds", 256),
  /** Names of queues of a feed. */
  FEED_QUEUES("feed-queues", 1_000),
  /** Prefixes of names of queues of a feed. */
  FEED_PREFIXES("feed-prefixes", 100),
  /** Namespaces of a feed. */
  FEED_NAMESPACES("feed-namespaces", 100),
  /** Ids of tasks of a feed. */
  FEED_IDS("feed-ids", 1_000),

  /** Queues whose figures are read at one look. */
  SWEEP_QUEUES("sweep-queues", 1_000_000),
  /** Queues whose events are counted over time: the busiest. */
  RATE_QUEUES("rate-queues", 2_000),
  /** Requests of the console that are under way. */
  CONSOLE_PAGES("console-pages", 256),
  /** Passwords that wait to be checked. */
  CONSOLE_LOGINS("console-logins", 16);

  private final String label;
  private final long standard;

  /** A limit whose default is a fraction of the heap. */
  Limit(String label) {
    this(label, 0);
  }

  Limit(String label, long standard) {
    this.label = label;
    this.standard = standard;
  }

  /** The name in messages and in {@code LIMITS.md}. */
  public String label() {
    return label;
  }

  /** The default; 0 if it is a fraction of the heap. */
  public int standard() {
    return (int) standard;
  }

  /** Prefixes a message with the name of this limit. */
  public String named(String message) {
    return "limit " + label + ": " + message;
  }

  /** Refuses a call that exceeds this limit: RESOURCE_EXHAUSTED, or HTTP 429. */
  public Refusal refusal(String message) {
    return Refusal.exhausted(named(message));
  }
}
