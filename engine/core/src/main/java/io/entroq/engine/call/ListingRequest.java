package io.entroq.engine.call;

import io.entroq.api.EntroQException;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.result.Page;
import org.agrona.ExpandableArrayBuffer;

/**
 * Asks for a listing: for its next page each time, or at once for all pages, one after the other.
 *
 * @param <T> what the caller gets
 */
abstract class ListingRequest<T> extends ApiRequest<T> {
  private static final int QUERY_BYTES_FIRST = 256;

  private final long bytesMax;
  private Page page;
  private int queryLength;
  private long bytes;

  /**
   * @param bytesMax most bytes of all pages together; 0: pages are requested one at a time
   */
  ListingRequest(long bytesMax) {
    super(RequestKind.LIST);
    this.bytesMax = bytesMax;
  }

  /** Whether there is no page after the one that was answered last. */
  public final boolean isComplete() {
    return page.isLast();
  }

  @Override
  public final int encode(RequestSlot slot) {
    if (page == null) {
      // Lives as long as the listing, and so longer than the slot is this request's.
      ExpandableArrayBuffer query = new ExpandableArrayBuffer(QUERY_BYTES_FIRST);
      queryLength = encode(CallCodec.encoder(slot), query);
      page = open(query, queryLength);
    }
    page.turn();
    slot.page = page;
    return queryLength;
  }

  /** Encodes the query to the start of a buffer and returns its length in bytes. */
  public abstract int encode(RequestEncoder encoder, ExpandableArrayBuffer query);

  /** A listing that has not begun. */
  abstract Page open(ExpandableArrayBuffer query, int length);

  @Override
  public final T answer(ReplyReader reply) {
    bytes += page.length();
    if (bytesMax > 0 && bytes > bytesMax) {
      throw new EntroQException.ResourceExhausted(
          "the answer has more bytes than the %d that listingBytesMax allows; %s"
              .formatted(bytesMax, advice()));
    }
    return take(reply);
  }

  @Override
  public final boolean goesOn() {
    return bytesMax > 0 && !page.isLast();
  }

  /** Takes over a page; what is returned for the last one is the answer. */
  abstract T take(ReplyReader reply);

  /** What to do if there is too much for one answer. */
  abstract String advice();
}
