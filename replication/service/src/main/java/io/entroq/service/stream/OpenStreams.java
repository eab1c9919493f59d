package io.entroq.service.stream;

import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** The streams of all connections, so that the server can end them when it stops. Any thread. */
public final class OpenStreams {
  private final Set<StreamSession> sessions = ConcurrentHashMap.newKeySet();
  private volatile boolean isEnding;

  /** The open streams. */
  public int count() {
    return sessions.size();
  }

  /** Ends all streams, and later ones, when their open requests have been answered. */
  public void end() {
    isEnding = true;
    sessions.forEach(StreamSession::drain);
  }

  void add(StreamSession session) {
    sessions.add(session);
    // end() has seen this stream, or is seen here.
    if (isEnding) {
      session.drain();
    }
  }

  void remove(StreamSession session) {
    sessions.remove(session);
  }
}
