package io.entroq.service.limit;

/** What a server has only so much of, of which no one {@link Origin} may take all. */
public enum Limit {
  /** Calls under way that do something. */
  REQUESTS,
  /** Claims that wait for a task. */
  CLAIMS,
  /** Listings that are answered as a whole. */
  LISTINGS,
  /** Listings that are answered piece by piece. */
  STREAMS,
  /** Calls that wait for their turn. */
  TURNS,
  /** The bytes of requests and claims, and of their answers. */
  CALL_BYTES,
  /** The bytes of listings that are answered as a whole. */
  LISTING_BYTES,
  /** The bytes of listings that are answered piece by piece. */
  STREAM_BYTES,
  /** The bytes of calls that wait for their turn. */
  TURN_BYTES,
  /** Questions that wait to be asked of an authorizer. */
  QUESTIONS,
  /** Requests that wait for the first one of their client. */
  FOLLOWERS,
  /** Connections to a port. */
  CONNECTIONS,
  /** Calls that there are at a port, whatever becomes of them. */
  CALLS,
  /** The bytes of requests that come in, and over HTTP those of answers too. */
  TRANSPORT_BYTES
}
