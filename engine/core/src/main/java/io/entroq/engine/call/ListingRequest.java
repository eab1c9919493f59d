package io.entroq.engine.call;

import io.entroq.api.EntroQException;
import io.entroq.engine.request.RequestKind;
import io.entroq.engine.request.RequestSlot;
import io.entroq.engine.result.Page;
import org.agrona.ExpandableArrayBuffer;

/**
 * Reads a listing: one page per result, or all pages, one after the other, as one result.
 *
 * @param <T> type of the result
 */
abstract class ListingRequest<T> extends ApiRequest<T> {
  private static final int QUERY_BYTES_FIRST = 256;

  private final long bytesMax;
  private Page page;
  private int queryLength;
  private long bytes;

  /**
   * @param bytesMax most bytes of all pages together; 0 to get one page per result
   */
  ListingRequest(long bytesMax) {
    super(RequestKind.LIST);
    this.bytesMax = bytesMax;
  }

  /** Whether the last page has been received. */
  public final boolean isComplete() {
    return page.isLast();
  }

  @Override
  public final int encode(RequestSlot slot) {
    if (page == null) {
      // Not in the slot: the listing may outlive its use of the slot.
      ExpandableArrayBuffer query = new ExpandableArrayBuffer(QUERY_BYTES_FIRST);
      queryLength = encode(CallCodec.encoder(slot), query);
      page = open(query, queryLength);
    }
    page.next();
    slot.page = page;
    return queryLength;
  }

  /** Encodes the query to the start of a buffer and returns its length in bytes. */
  public abstract int encode(RequestEncoder encoder, ExpandableArrayBuffer query);

  /** Creates a listing that has not begun. */
  abstract Page open(ExpandableArrayBuffer query, int length);

  @Override
  public final T answer(ReplyReader reply) {
    bytes += page.length();
    if (bytesMax > 0 && bytes > bytesMax) {
      throw new EntroQException.ResourceExhausted(
          "the listing is longer than the %d bytes that listingBytesMax allows; %s"
              .formatted(bytesMax, advice()));
    }
    return take(reply);
  }

  @Override
  public final boolean goesOn() {
    return bytesMax > 0 && !page.isLast();
  }

  /** Adds a page; what it returns for the last page is the result. */
  abstract T take(ReplyReader reply);

  /** How to request less, for the error message. */
  abstract String advice();
}
