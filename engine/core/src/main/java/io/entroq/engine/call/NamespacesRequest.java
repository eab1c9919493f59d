package io.entroq.engine.call;

import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.engine.result.NamespacesPage;
import io.entroq.engine.result.Page;
import java.util.LinkedHashMap;
import java.util.Map;
import org.agrona.ExpandableArrayBuffer;

/** Lists namespaces with their statistics. */
public final class NamespacesRequest extends ListingRequest<Map<String, NamespaceStats>> {
  private final NamespaceQuery query;
  private final Map<String, NamespaceStats> namespaces = new LinkedHashMap<>();

  /**
   * @param bytesMax longest result allowed, in bytes
   */
  public NamespacesRequest(NamespaceQuery query, int bytesMax) {
    super(bytesMax);
    this.query = query;
  }

  @Override
  public long bytesAtLeast() {
    long bytes = 0;
    for (String prefix : query.prefixes()) {
      bytes += prefix.length();
    }
    for (String name : query.names()) {
      bytes += name.length();
    }
    return bytes;
  }

  @Override
  public int encode(RequestEncoder encoder, ExpandableArrayBuffer buffer) {
    return encoder.namespaces(buffer, query);
  }

  @Override
  Page open(ExpandableArrayBuffer buffer, int length) {
    return new NamespacesPage(buffer, 0, length);
  }

  @Override
  Map<String, NamespaceStats> take(ReplyReader reply) {
    reply.addNamespaces(namespaces);
    return namespaces;
  }

  @Override
  String advice() {
    return "request less at a time: prefixes of names, or a limit";
  }
}
