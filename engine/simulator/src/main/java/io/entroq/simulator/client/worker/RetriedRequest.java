package io.entroq.simulator.client.worker;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Resends;
import org.agrona.DirectBuffer;

/** One request, repeated until it is answered or given up. */
final class RetriedRequest implements Request.ReplyListener {
  /** A slower answer may cost a lease; claims may wait longer. */
  private static final long SLOW_NS = 500_000_000L;

  private final RemoteQueue queue;
  private final long sentNs;
  private final Request request;
  private final int sendsMax;
  private final End end;
  private int sends;
  private int copies;
  private boolean isOver;

  /** Learns how the request ends, once. */
  interface End {
    /**
     * The request is answered.
     *
     * @param result the whole buffer
     */
    void onResult(DirectBuffer result);

    /**
     * The request is given up.
     *
     * @param isNothingDone whether it certainly was not executed
     * @param isFull whether it was refused for lack of resources
     */
    void onGivenUp(boolean isNothingDone, boolean isFull);
  }

  /**
   * @param sendsMax how often it is sent before it is given up
   */
  RetriedRequest(RemoteQueue queue, int type, DirectBuffer command, int sendsMax, End end) {
    this.queue = queue;
    this.request = new Request(queue.client(), type, command, this);
    this.sendsMax = sendsMax;
    this.sentNs = queue.life().nowNs();
    this.end = end;
  }

  void send() {
    sends++;
    int number = sends;
    copies += queue.context().send(request);
    queue.life().in(Resends.waitNs(number), () -> onTimeout(number));
  }

  /** Ignores all further replies. */
  void abandon() {
    isOver = true;
  }

  private void onTimeout(int number) {
    if (isOver || number != sends) {
      return;
    }
    if (request.type() != RecordType.CLAIM) {
      queue.troubled();
    }
    if (sends < sendsMax) {
      send();
    } else {
      giveUp(false, false);
    }
  }

  private void giveUp(boolean isNothingDone, boolean isFull) {
    isOver = true;
    end.onGivenUp(isNothingDone, isFull);
  }

  @Override
  public void onReply(Request sent, Reply reply) {
    queue.life().happen(() -> take(reply));
  }

  /** Whether no other copy of the request is in flight. */
  private boolean isOnlyCopy() {
    return sends == 1 && copies == 1;
  }

  private void take(Reply reply) {
    if (reply.status() == Reply.Status.RESULT) {
      ResultDecoder result = new ResultDecoder();
      result.wrap(reply.result(), 0, reply.result().capacity());
      queue.context().heard(request, sentNs, result.logTimeMs(), result.code());
      if (request.type() != RecordType.CLAIM && queue.life().nowNs() - sentNs > SLOW_NS) {
        queue.troubled();
      }
      if (!isOver) {
        isOver = true;
        end.onResult(reply.result());
      }
    } else {
      queue.context().refused();
      queue.troubled();
      // Some callers give up at once; the others repeat the request after the timeout.
      if (!isOver && queue.random().oneIn(2)) {
        boolean isFull = reply.status() == Reply.Status.EXHAUSTED;
        giveUp(isFull && isOnlyCopy(), isFull);
      }
    }
  }
}
