package io.entroq.tools.importing;

/** Remembers which units are complete, to continue an interrupted import. */
public interface ImportState {
  /** Remembers nothing. */
  ImportState NONE =
      new ImportState() {
        @Override
        public boolean isDone(UnitName unit) {
          return false;
        }

        @Override
        public void done(UnitName unit) {}
      };

  /** Whether a unit is complete. */
  boolean isDone(UnitName unit);

  /** Marks a unit as complete. */
  void done(UnitName unit);
}
