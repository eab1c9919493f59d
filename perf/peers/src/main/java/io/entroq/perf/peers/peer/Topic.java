package io.entroq.perf.peers.peer;

import java.util.List;

/** A topic: each of its groups gets every message. */
public interface Topic extends AutoCloseable {
  /** Sends messages and returns when all are acknowledged. For one thread. */
  void send(List<byte[]> values) throws Exception;

  /** Joins a group as its only member. */
  Member join(String group) throws Exception;

  @Override
  void close();

  /** The member of a group. For one thread. */
  interface Member extends AutoCloseable {
    /**
     * Receives messages, and waits for a short time if there are none.
     *
     * @return at most {@code limit} values
     */
    List<byte[]> receive(int limit) throws Exception;

    /** Commits what was received last, so that the group does not get it again. */
    void commit() throws Exception;

    @Override
    void close();
  }
}
