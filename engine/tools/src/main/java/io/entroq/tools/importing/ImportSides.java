package io.entroq.tools.importing;

import io.entroq.api.EntroQ;
import io.entroq.tools.importing.UnitName.Kind;
import io.entroq.tools.importing.source.Item;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.terminal.Interruption;

/**
 * Source and target of an import.
 *
 * @param source the server to read from
 * @param target the queue to write to
 * @param targetName name of the target in messages
 * @param claimant claimant of inserts; empty for the target's own
 * @param interruption ends the import
 * @param rules the target's policies before the import
 */
public record ImportSides(
    SourceServer source,
    EntroQ target,
    String targetName,
    String claimant,
    Interruption interruption,
    TargetRules rules) {
  /** Reads the target's policies. */
  public ImportSides(
      SourceServer source,
      EntroQ target,
      String targetName,
      String claimant,
      Interruption interruption) {
    this(source, target, targetName, claimant, interruption, TargetRules.of(target));
  }

  ImportUnit<? extends Item> unit(UnitName name) {
    return name.kind() == Kind.QUEUE
        ? new QueueUnit(source, target, interruption, claimant, rules, name.name())
        : new NamespaceUnit(source, target, interruption, claimant, name.name());
  }
}
