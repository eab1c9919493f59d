package io.entroq.engine.result;

import io.entroq.codec.result.ListPoliciesDecoder;
import io.entroq.codec.result.PolicyStateEncoder;
import io.entroq.codec.result.ResultEncoder;
import io.entroq.engine.listing.PolicyCursor;
import io.entroq.engine.listing.PolicyVisitor;
import io.entroq.engine.policy.PolicyView;
import io.entroq.engine.state.StateMachine;
import org.agrona.DirectBuffer;
import org.agrona.ExpandableArrayBuffer;

/** A listing of policies. */
public final class PoliciesPage extends Page implements PolicyVisitor {

  /** An upper bound on the bytes of tag and length. */
  private static final int FIXED_BYTES = 8;

  private final PolicyCursor cursor;
  private final PolicyStateEncoder encoder = new PolicyStateEncoder();
  private final ExpandableArrayBuffer state = new ExpandableArrayBuffer();
  private long timeMs;

  /**
   * Begins a listing.
   *
   * @param query a ListPolicies, which must not change until the listing is done
   * @throws io.entroq.codec.message.MalformedMessageException if it cannot be read
   */
  public PoliciesPage(DirectBuffer query, int offset, int length) {
    ListPoliciesDecoder decoder = new ListPoliciesDecoder();
    decoder.wrap(query, offset, length);
    cursor = new PolicyCursor(decoder);
  }

  @Override
  boolean go(StateMachine machine, long nowMs, int effort) {
    timeMs = nowMs;
    return machine.listPolicies(cursor, effort, this);
  }

  @Override
  public boolean isLast() {
    return cursor.isDone();
  }

  @Override
  public boolean onPolicy(PolicyView policy) {
    PolicyContent.write(policy, timeMs, encoder.wrap(state, 0));
    ResultEncoder page = room(FIXED_BYTES + encoder.length());
    if (page == null) {
      return false;
    }
    page.policy(state, 0, encoder.length());
    return true;
  }
}
