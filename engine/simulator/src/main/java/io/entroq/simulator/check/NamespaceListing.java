package io.entroq.simulator.check;

import io.entroq.codec.result.ListNamespacesDecoder;
import io.entroq.codec.result.NamespaceStatsDecoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.simulator.call.ReadWatcher;
import java.util.Arrays;
import org.agrona.DirectBuffer;
import org.agrona.collections.IntHashSet;

/** Follows one listing of namespaces with no record in between. One use. */
final class NamespaceListing implements ReadWatcher {
  private final Account account;
  private final ListNamespacesDecoder query = new ListNamespacesDecoder();
  private final IntHashSet listed = new IntHashSet();
  private int listedOfPage;

  NamespaceListing(Account account, DirectBuffer command, int offset, int length) {
    this.account = account;
    query.wrap(command, offset, length);
  }

  @Override
  public void onSlice(ResultDecoder page) {
    for (; listedOfPage < page.namespaceCount(); listedOfPage++) {
      NamespaceStatsDecoder stats = page.namespace(listedOfPage);
      int name = account.texts.number(page.buffer(), stats.nameOffset(), stats.nameLength());
      require(matches(name) && listed.add(name), name, "listed once, as requested", "twice");
      require(account.docs.count(name) == stats.docs(), name, docs(name), stats.docs() + " docs");
      int held = account.docs.held(name, page.logTimeMs());
      require(held == stats.claimed(), name, held + " held", stats.claimed() + " held");
    }
  }

  @Override
  public void onPageEnd() {
    listedOfPage = 0;
  }

  private String docs(int name) {
    return account.docs.count(name) + " docs";
  }

  private void require(boolean fact, int name, String expected, String actual) {
    Invariant.NAMESPACES_COUNT.require(fact, account.texts.text(name), expected, actual);
  }

  @Override
  public void onEnd() {
    int matching = 0;
    for (int name : account.docs.namespaces()) {
      matching += matches(name) ? 1 : 0;
    }
    int expected = query.limit() > 0 ? Math.min(matching, query.limit()) : matching;
    Invariant.NAMESPACES_COUNT.require(
        listed.size() == expected, "the namespaces", expected + " listed", listed.size());
  }

  private boolean matches(int name) {
    boolean matchesAll = query.matchPrefixCount() == 0 && query.matchExactCount() == 0;
    byte[] bytes = account.texts.bytes(name);
    for (int i = 0; i < query.matchExactCount() && !matchesAll; i++) {
      matchesAll =
          Arrays.equals(bytes, bytes(query.matchExactOffset(i), query.matchExactLength(i)));
    }
    for (int i = 0; i < query.matchPrefixCount() && !matchesAll; i++) {
      byte[] prefix = bytes(query.matchPrefixOffset(i), query.matchPrefixLength(i));
      matchesAll =
          prefix.length <= bytes.length
              && Arrays.equals(bytes, 0, prefix.length, prefix, 0, prefix.length);
    }
    return matchesAll;
  }

  private byte[] bytes(int offset, int length) {
    byte[] bytes = new byte[length];
    query.buffer().getBytes(offset, bytes);
    return bytes;
  }
}
