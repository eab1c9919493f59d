package io.entroq.engine.call;

import io.entroq.api.Doc;
import io.entroq.api.DocQuery;
import io.entroq.engine.result.DocsPage;
import io.entroq.engine.result.Page;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/** Lists docs of a namespace. */
public final class DocsRequest extends ListingRequest<List<Doc>> {
  private final DocQuery query;
  private final List<Doc> docs = new ArrayList<>();

  /**
   * @param bytesMax longest result allowed, in bytes
   */
  public DocsRequest(DocQuery query, int bytesMax) {
    super(bytesMax);
    this.query = query;
  }

  @Override
  public long bytesAtLeast() {
    long bytes =
        (long) query.namespace().length() + query.keyStart().length() + query.keyEnd().length();
    for (String id : query.ids()) {
      bytes += Long.BYTES + id.length();
    }
    return bytes;
  }

  @Override
  public int encode(RequestEncoder encoder, ExpandableArrayBuffer buffer) {
    return encoder.docs(buffer, query);
  }

  @Override
  Page open(ExpandableArrayBuffer buffer, int length) {
    return new DocsPage(buffer, 0, length);
  }

  @Override
  List<Doc> take(ReplyReader reply) {
    reply.addDocs(docs);
    return docs;
  }

  @Override
  String advice() {
    return "request less at a time: a range of keys, a limit, or no values";
  }
}
