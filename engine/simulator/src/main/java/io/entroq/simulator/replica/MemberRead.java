package io.entroq.simulator.replica;

import io.entroq.api.EntroQException;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.gateway.Completion;
import io.entroq.engine.gateway.Gateway;
import io.entroq.engine.gateway.Listing;
import io.entroq.simulator.call.ReadWatcher;
import io.entroq.simulator.call.Reply;
import io.entroq.simulator.call.Reply.Status;
import io.entroq.simulator.call.Request;
import io.entroq.simulator.check.Invariant;
import io.entroq.simulator.check.Ledger;
import java.util.function.Consumer;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/**
 * A listing from a member, all pages at once. It must show everything that the member has shown to
 * anyone before, and everything up to the caller's position. One thread, one use.
 */
final class MemberRead implements Completion {
  /** How long a caller waits for a position. */
  static final long PATIENCE_NS = 5_000_000_000L;

  private static final Reply UNAVAILABLE = new Reply(Status.UNAVAILABLE, null);

  /** A page that takes more rounds is a bug. */
  private static final int ROUNDS_MAX = 100_000;

  private final MemberLife life;
  private final Gateway gateway;
  private final Ledger ledger;
  private final Request request;
  private final Consumer<Reply> receiver;
  private final ExpandableArrayBuffer pages = new ExpandableArrayBuffer();
  private final ResultDecoder page = new ResultDecoder();
  private ReadWatcher watcher = ReadWatcher.NONE;
  private final long own;
  private long position;
  private int length;
  private boolean hasAnswer;
  private boolean hasFailed;

  /**
   * A read that has not begun.
   *
   * @param receiver takes the reply
   * @param own the newest record that the member has shown to anyone
   */
  MemberRead(
      MemberLife life,
      Gateway gateway,
      Ledger ledger,
      Request request,
      Consumer<Reply> receiver,
      long own) {
    this.life = life;
    this.gateway = gateway;
    this.ledger = ledger;
    this.request = request;
    this.receiver = receiver;
    this.own = own;
  }

  /** As {@link #begin}, after the member has reached a position. */
  void beginFrom(long sequence) {
    position = sequence;
    begin();
  }

  /** Reads all pages. */
  void begin() {
    boolean isNewest = life.machine().sequence() == ledger.sequence();
    if (isNewest) {
      watcher = ledger.onRead(request);
    }
    try {
      readAll(listing());
    } catch (EntroQException e) {
      hasFailed = true;
    }
    if (hasFailed) {
      fail();
    } else {
      receiver.accept(Reply.of(pages, 0, length));
    }
  }

  private Listing listing() {
    DirectBuffer query = request.command();
    return switch (request.type()) {
      case Request.LIST_TASKS -> gateway.tasks(buffer -> MemberFrontend.copy(query, buffer, 0));
      case Request.LIST_DOCS -> gateway.docs(buffer -> MemberFrontend.copy(query, buffer, 0));
      case Request.TASK_POSITION ->
          gateway.position(buffer -> MemberFrontend.copy(query, buffer, 0));
      default -> gateway.namespaces(buffer -> MemberFrontend.copy(query, buffer, 0));
    };
  }

  private void readAll(Listing listing) {
    do {
      hasAnswer = false;
      listing.next(this);
      for (int rounds = 0; !hasAnswer; rounds++) {
        if (rounds == ROUNDS_MAX) {
          throw new IllegalStateException("a listing returns no page");
        }
        life.doWork();
      }
      if (!hasFailed) {
        add(listing.isComplete());
      }
    } while (!hasFailed && !listing.isComplete());
  }

  private void add(boolean isLast) {
    long shown = page.sequence();
    Invariant.MEMBER_SHOWS_ITS_WRITES.require(shown >= own, life, own, shown);
    Invariant.POSITION_IS_REACHED.require(shown >= position, life, position, shown);
    watcher.onSlice(page);
    if (isLast) {
      watcher.onEnd();
    } else {
      watcher.onPageEnd();
    }
    pages.putBytes(length, page.buffer(), page.encodedOffset(), page.encodedLength());
    length += page.encodedLength();
  }

  @Override
  public void onResult(ResultDecoder result) {
    page.wrap(result.buffer(), result.encodedOffset(), result.encodedLength());
    hasAnswer = true;
  }

  @Override
  public void onFailure(EntroQException failure) {
    hasAnswer = true;
    hasFailed = true;
  }

  /** Answers that the member is unavailable. */
  void fail() {
    receiver.accept(UNAVAILABLE);
  }
}
