package io.entroq.engine.result;

import io.entroq.codec.result.DocFields;
import io.entroq.codec.result.ListDocsDecoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.engine.doc.DocView;
import io.entroq.engine.listing.DocCursor;
import io.entroq.engine.listing.DocVisitor;
import io.entroq.engine.state.StateMachine;
import org.agrona.DirectBuffer;

/** A listing of docs. */
public final class DocsPage extends Page implements DocVisitor {

  /** An upper bound on the bytes of a doc beyond its texts and value. */
  private static final int FIXED_BYTES = 160;

  private final DocFields fields = new DocFields();
  private final DocCursor cursor;

  /**
   * Begins a listing.
   *
   * @param query a ListDocs, which must not change until the listing is done
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
   */
  public DocsPage(DirectBuffer query, int offset, int length) {
    ListDocsDecoder decoder = new ListDocsDecoder();
    decoder.wrap(query, offset, length);
    cursor = new DocCursor(decoder);
  }

  @Override
  boolean go(StateMachine machine, long nowMs, int effort) {
    return machine.listDocs(cursor, effort, this);
  }

  @Override
  public boolean isLast() {
    return cursor.isDone();
  }

  @Override
  public boolean onDoc(DocView doc) {
    ResultEncoder encoder = room(FIXED_BYTES + variableBytes(doc));
    if (encoder == null) {
      return false;
    }
    DocContent.describe(doc, fields);
    encoder.doc(fields);
    return true;
  }

  private static int variableBytes(DocView doc) {
    return doc.namespaceLength()
        + doc.idTextLength()
        + doc.claimantTextLength()
        + doc.keyLength()
        + doc.secondaryKeyLength()
        + doc.valueLength();
  }
}
