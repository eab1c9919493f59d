package io.entroq.engine.call;

import io.entroq.api.Policies;
import io.entroq.engine.result.Page;
import io.entroq.engine.result.PoliciesPage;
import java.util.ArrayList;
import java.util.List;
import org.agrona.ExpandableArrayBuffer;

/** Lists policies. */
public final class PoliciesRequest extends ListingRequest<List<Policies.Entry>> {
  private final Policies.Query query;
  private final List<Policies.Entry> entries = new ArrayList<>();

  /**
   * @param bytesMax longest result allowed, in bytes
   */
  public PoliciesRequest(Policies.Query query, int bytesMax) {
    super(bytesMax);
    this.query = query;
  }

  @Override
  public long bytesAtLeast() {
    return query.prefix().length();
  }

  @Override
  public int encode(RequestEncoder encoder, ExpandableArrayBuffer buffer) {
    return encoder.policies(buffer, query);
  }

  @Override
  Page open(ExpandableArrayBuffer buffer, int length) {
    return new PoliciesPage(buffer, 0, length);
  }

  @Override
  List<Policies.Entry> take(ReplyReader reply) {
    entries.addAll(reply.policies());
    return entries;
  }

  @Override
  String advice() {
    return "request less at a time: a kind, a prefix of names, or a limit";
  }
}
