package io.entroq.tools.importing;

import io.entroq.api.Doc;
import io.entroq.api.DocInsert;
import io.entroq.api.DocQuery;
import io.entroq.api.EntroQ;
import io.entroq.api.EntroQException;
import io.entroq.api.Modification;
import io.entroq.api.ModifyResult;
import io.entroq.api.NamespaceQuery;
import io.entroq.api.NamespaceStats;
import io.entroq.tools.importing.source.DocItem;
import io.entroq.tools.importing.source.DocListing;
import io.entroq.tools.importing.source.SourceServer;
import io.entroq.tools.terminal.Interruption;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Consumer;

/** A namespace. */
final class NamespaceUnit implements ImportUnit<DocItem> {
  private static final int IDS_AT_ONCE = 500;

  private final SourceServer source;
  private final EntroQ target;
  private final Interruption interruption;
  private final String claimant;
  private final String namespace;

  NamespaceUnit(
      SourceServer source,
      EntroQ target,
      Interruption interruption,
      String claimant,
      String namespace) {
    this.source = source;
    this.target = target;
    this.interruption = interruption;
    this.claimant = claimant;
    this.namespace = namespace;
  }

  @Override
  public UnitName name() {
    return new UnitName(UnitName.Kind.NAMESPACE, namespace);
  }

  /** A listing of docs is a single message, so values are read separately by id. */
  @Override
  public void forEach(Consumer<DocItem> consumer) {
    List<String> ids = new ArrayList<>(IDS_AT_ONCE);
    forEachId(
        id -> {
          ids.add(id);
          if (ids.size() == IDS_AT_ONCE) {
            forEach(ids, consumer);
            ids.clear();
          }
        });
    if (!ids.isEmpty()) {
      forEach(ids, consumer);
    }
  }

  @Override
  public void forEachId(Consumer<String> consumer) {
    source.forEachDoc(namespace, doc -> consumer.accept(doc.id()));
  }

  @Override
  public void forEach(List<String> ids, Consumer<DocItem> consumer) {
    source.forEachDoc(namespace, ids, consumer);
  }

  @Override
  public long targetSize() {
    NamespaceStats stats =
        interruption
            .await(target.namespacesAsync(new NamespaceQuery(List.of(), List.of(namespace), 0)))
            .orElseThrow(ImportInterruptedException::new)
            .get(namespace);
    return stats == null ? 0 : stats.docs();
  }

  @Override
  public void forEachTargetId(Consumer<String> consumer) {
    DocQuery all = DocQuery.in(namespace).withoutValues();
    new DocListing(
            (keyStart, keyEnd, limit) ->
                read(all.between(keyStart, keyEnd).withLimit(limit)).stream()
                    .map(NamespaceUnit::item)
                    .toList())
        .forEach(doc -> consumer.accept(doc.id()));
  }

  @Override
  public Map<String, DocItem> atTarget(List<String> ids) {
    Map<String, DocItem> there = new HashMap<>();
    readTarget(readable(ids), doc -> there.put(doc.id().id(), item(doc)));
    return there;
  }

  private void readTarget(List<String> ids, Consumer<Doc> consumer) {
    if (ids.isEmpty()) {
      return;
    }
    List<Doc> docs;
    try {
      docs = read(withIds(ids));
    } catch (EntroQException.ResourceExhausted e) {
      if (ids.size() == 1) {
        throw e;
      }
      // The response may have been too large.
      readTarget(ids.subList(0, ids.size() / 2), consumer);
      readTarget(ids.subList(ids.size() / 2, ids.size()), consumer);
      return;
    }
    docs.forEach(consumer);
  }

  @Override
  public boolean isOf(DocItem there) {
    return true;
  }

  @Override
  public Set<String> takenAtTarget(List<String> ids) {
    Set<String> taken = new HashSet<>();
    List<String> readable = readable(ids);
    if (!readable.isEmpty()) {
      read(withIds(readable).withoutValues()).forEach(doc -> taken.add(doc.id().id()));
    }
    return taken;
  }

  /** The ids that the target accepts. */
  private List<String> readable(List<String> ids) {
    return ids.stream().filter(this::isReadable).toList();
  }

  private boolean isReadable(String id) {
    try {
      return new Doc.Id(namespace, id).id().equals(id);
    } catch (EntroQException.InvalidArgument e) {
      return false;
    }
  }

  private DocQuery withIds(List<String> ids) {
    return DocQuery.in(namespace).withIds(ids.toArray(String[]::new));
  }

  private List<Doc> read(DocQuery query) {
    return interruption.await(target.docsAsync(query)).orElseThrow(ImportInterruptedException::new);
  }

  private static DocItem item(Doc doc) {
    return new DocItem(doc.id().id(), doc.key(), doc.secondaryKey(), doc.value());
  }

  @Override
  public ModifyResult insert(List<DocItem> items) {
    Modification.Builder inserts = Modification.builder().claimant(claimant);
    for (DocItem doc : items) {
      inserts.insertDoc(
          DocInsert.into(namespace, doc.key())
              .withId(doc.id())
              .withSecondaryKey(doc.secondaryKey())
              .withValue(doc.value()));
    }
    return interruption
        .await(target.modifyAsync(inserts.build()))
        .orElseThrow(ImportInterruptedException::new);
  }

  @Override
  public List<String> differences(DocItem here, DocItem there) {
    List<String> differences = new ArrayList<>();
    if (!here.key().equals(there.key())) {
      differences.add("has key %s, there %s".formatted(here.key(), there.key()));
    }
    if (!here.secondaryKey().equals(there.secondaryKey())) {
      differences.add(
          "has secondary key %s, there %s".formatted(here.secondaryKey(), there.secondaryKey()));
    }
    ValueComparison.difference(here.value(), there.value()).ifPresent(differences::add);
    return differences;
  }
}
