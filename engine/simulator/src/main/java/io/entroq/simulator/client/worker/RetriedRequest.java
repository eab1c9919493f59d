package io.entroq.simulator.client.worker;

import io.entroq.codec.record.RecordType;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.call.Resends;
import org.agrona.DirectBuffer;

/** One request from its first attempt to its end, repeated until it is answered. */
final class RetriedRequest implements Request.ReplyListener {
  /** An answer that takes longer may cost a lease; a claim may wait for as long as it likes. */
  private static final long SLOW_NS = 500_000_000L;

  private final RemoteQueue queue;
  private final long askedNs;
  private final Request request;
  private final int sendsMax;
  private final End end;
  private int sends;
  private int copies;
  private boolean isOver;

  /** How it may end; once. */
  interface End {
    /**
     * It is answered.
     *
     * @param result all of the buffer
     */
    void onResult(DirectBuffer result);

    /**
     * Nobody is asked any more.
     *
     * @param isNothingDone whether it is certain that nothing was done
     * @param isFull whether it was refused for want of room
     */
    void onGivenUp(boolean isNothingDone, boolean isFull);
  }

  /**
   * @param sendsMax how often it is sent at most before it is given up
   */
  RetriedRequest(RemoteQueue queue, int type, DirectBuffer command, int sendsMax, End end) {
    this.queue = queue;
    this.request = new Request(queue.client(), type, command, this);
    this.sendsMax = sendsMax;
    this.askedNs = queue.life().nowNs();
    this.end = end;
  }

  void send() {
    sends++;
    int number = sends;
    copies += queue.context().send(request);
    queue.life().in(Resends.waitNs(number), () -> onTimeout(number));
  }

  /** Nobody wants to know any more how it ends. */
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

  /** Whether nothing of it is on its way any more; who sends something once hears of its copies. */
  private boolean isOnlyCopy() {
    return sends == 1 && copies == 1;
  }

  private void take(Reply reply) {
    if (reply.status() == Reply.Status.RESULT) {
      ResultDecoder result = new ResultDecoder();
      result.wrap(reply.result(), 0, reply.result().capacity());
      queue.context().heard(request, askedNs, result.logTimeMs(), result.code());
      if (request.type() != RecordType.CLAIM && queue.life().nowNs() - askedNs > SLOW_NS) {
        queue.troubled();
      }
      if (!isOver) {
        isOver = true;
        end.onResult(reply.result());
      }
    } else {
      queue.context().refused();
      queue.troubled();
      // Some callers want to hear of it, the others ask again when it is time.
      if (!isOver && queue.random().oneIn(2)) {
        boolean isFull = reply.status() == Reply.Status.EXHAUSTED;
        giveUp(isFull && isOnlyCopy(), isFull);
      }
    }
  }
}
