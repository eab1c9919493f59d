package io.entroq.server.cli.queue.print;

import io.entroq.api.NamespaceStats;
import java.util.Collection;
import java.util.List;

/** Statistics of namespaces, as a table with the columns of EntroQ's own tool (contract 3.7). */
public final class NamespacesTable {
  private NamespacesTable() {}

  /** The lines of the table. */
  public static List<String> lines(Collection<NamespaceStats> namespaces) {
    TextTable table = new TextTable("NAMESPACE", "SIZE", "CLAIMED");
    for (NamespaceStats namespace : namespaces) {
      table.row(namespace.name(), namespace.docs(), namespace.claimed());
    }
    return table.lines();
  }
}
