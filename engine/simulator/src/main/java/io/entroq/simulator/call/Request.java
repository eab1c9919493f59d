package io.entroq.simulator.call;

import org.agrona.DirectBuffer;

/**
 * A command of a client, encoded. A resend is the same request once more. Immutable, and nobody
 * changes the bytes.
 *
 * @param client the number of the client, from 0
 * @param type a {@link io.entroq.codec.record.RecordType}: CLAIM, MODIFY, CLAIM_DOCS, CANCEL or
 *     ACKNOWLEDGE; or one of the reads below, which are no commands of the log
 * @param command the bytes of the command, from 0 to the capacity of the buffer
 * @param from takes the replies, of which there may be none, one, or several
 */
public record Request(int client, int type, DirectBuffer command, ReplyListener from) {
  /** The type of a ListTasks. */
  public static final int LIST_TASKS = 100;

  /** The type of a ListDocs. */
  public static final int LIST_DOCS = 101;

  /** The type of a ListNamespaces. */
  public static final int LIST_NAMESPACES = 102;

  /** Whether it only asks what there is. */
  public boolean isRead() {
    return type >= LIST_TASKS;
  }

  /** Takes replies on behalf of a client. */
  @FunctionalInterface
  public interface ReplyListener {
    /** A reply has arrived; it may be the second one to this request, or one to an old request. */
    void onReply(Request request, Reply reply);
  }
}
