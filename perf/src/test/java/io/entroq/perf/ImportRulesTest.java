package io.entroq.perf;

import static com.tngtech.archunit.library.dependencies.SlicesRuleDefinition.slices;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption;
import org.junit.jupiter.api.Test;

class ImportRulesTest {
  private static final JavaClasses PERF =
      new ClassFileImporter()
          .withImportOption(new ImportOption.DoNotIncludeTests())
          .importPackages("io.entroq.perf");

  @Test
  void shouldHaveNoCyclesBetweenPackages() {
    slices().matching("io.entroq.perf.(**)").should().beFreeOfCycles().check(PERF);
  }
}
