package io.entroq.engine.result;

import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.engine.listing.NamespaceCursor;
import io.entroq.engine.listing.NamespaceVisitor;
import io.entroq.engine.state.StateMachine;
import org.agrona.DirectBuffer;

/** A listing of namespaces with their counts. */
public final class NamespacesPage extends Page implements NamespaceVisitor {

  /** An upper bound on the bytes of a namespace beyond its name. */
  private static final int FIXED_BYTES = 32;

  private final Slice fieldName = new Slice();
  private final NamespaceCursor cursor;

  /**
   * Begins a listing.
   *
   * @param query a ListNamespaces, which must not change until the listing is done
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
   */
  public NamespacesPage(DirectBuffer query, int offset, int length) {
    ListNamespacesDecoder decoder = new ListNamespacesDecoder();
    decoder.wrap(query, offset, length);
    cursor = new NamespaceCursor(decoder);
  }

  @Override
  boolean go(StateMachine machine, long nowMs, int effort) {
    return machine.listNamespaces(cursor, nowMs, effort, this);
  }

  @Override
  public boolean isLast() {
    return cursor.isDone();
  }

  @Override
  public boolean onNamespace(DirectBuffer name, int offset, int length, int docs, int claimed) {
    ResultEncoder encoder = room(FIXED_BYTES + length);
    if (encoder == null) {
      return false;
    }
    encoder.namespace(fieldName.wrap(name, offset, length), docs, claimed);
    return true;
  }
}
