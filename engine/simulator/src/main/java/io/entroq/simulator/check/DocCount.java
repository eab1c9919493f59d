package io.entroq.simulator.check;

import io.entroq.codec.message.Slice;
import io.entroq.codec.result.ListDocsEncoder;
import io.entroq.codec.result.ListNamespacesEncoder;
import io.entroq.codec.result.ResultDecoder;
import io.entroq.engine.result.DocsPage;
import io.entroq.engine.result.NamespacesPage;
import io.entroq.engine.result.Page;
import io.entroq.engine.state.StateMachine;
import io.entroq.simulator.call.ReadWatcher;
import org.agrona.ExpandableArrayBuffer;

/** Lists all docs that an engine has, and compares them with the account, doc by doc. */
final class DocCount {
  /** A slice of some docs. */
  private static final int SLICE_EFFORT = 1_000;

  private final Account account;
  private final ExpandableArrayBuffer query = new ExpandableArrayBuffer();
  private final ListDocsEncoder listDocs = new ListDocsEncoder();
  private final ListNamespacesEncoder listNamespaces = new ListNamespacesEncoder();
  private final ResultDecoder result = new ResultDecoder();

  DocCount(Account account) {
    this.account = account;
  }

  /** Compares everything. */
  void check(StateMachine machine) {
    long docs = account.docs.size();
    Invariant.NAMESPACES_COUNT.require(
        machine.docCount() == docs, "docs", docs, machine.docCount());
    countNamespaces(machine);
    for (int namespace : account.docs.namespaces()) {
      list(machine, namespace);
    }
  }

  private void countNamespaces(StateMachine machine) {
    int length = listNamespaces.wrap(query, 0).length();
    read(
        machine,
        new NamespacesPage(query, 0, length),
        new NamespaceListing(account, query, 0, length));
  }

  private void list(StateMachine machine, int namespace) {
    listDocs.wrap(query, 0).namespace(new Slice(account.texts.bytes(namespace)));
    int length = listDocs.length();
    read(machine, new DocsPage(query, 0, length), new DocListing(account, query, 0, length));
  }

  private void read(StateMachine machine, Page page, ReadWatcher listing) {
    boolean isOver;
    do {
      boolean goesOn = page.fill(machine, account.nowMs, SLICE_EFFORT);
      result.wrap(page.buffer(), 0, page.length());
      listing.onSlice(result);
      isOver = !goesOn && page.isLast();
      if (!goesOn && !isOver) {
        page.turn();
        listing.onPageEnd();
      }
    } while (!isOver);
    listing.onEnd();
  }
}
