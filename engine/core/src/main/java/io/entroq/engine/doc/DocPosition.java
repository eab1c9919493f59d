package io.entroq.engine.doc;

import io.entroq.codec.command.FieldLimits;
import java.nio.ByteBuffer;
import org.agrona.DirectBuffer;
import org.agrona.concurrent.UnsafeBuffer;

/**
 * A position between the docs of a namespace that outlives their changes: a walk can be left and
 * taken up again, and meets every doc once that is there all the time with the same keys.
 */
public final class DocPosition {

  private final UnsafeBuffer keys =
      new UnsafeBuffer(ByteBuffer.allocateDirect(2 * FieldLimits.TEXT_BYTES_MAX));
  private final SortKey position = new SortKey();
  private final SortKey other = new SortKey();
  private boolean isBehind;

  /** Puts it before the first doc whose key does not come before this one, of up to 1,024 bytes. */
  public void before(DirectBuffer key, int offset, int length) {
    keys.putBytes(0, key, offset, length);
    position.set(keys.addressOffset(), length, 0, 0, 0);
    isBehind = false;
  }

  /** Puts it behind a doc. */
  public void behind(DocStore docs, int doc) {
    docs.sortKey(doc, other);
    position.copy(other, keys.addressOffset());
    isBehind = true;
  }

  /** The place behind it in a namespace, or {@link KeyTree#END}. */
  public long place(KeyTree tree, DocStore docs, int namespace) {
    long place = tree.seek(namespace, position);
    if (isBehind && place != KeyTree.END) {
      docs.sortKey(tree.doc(place), other);
      if (other.mismatch(position) == SortKey.EQUAL) {
        return tree.next(place);
      }
    }
    return place;
  }
}
