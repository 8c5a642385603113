package io.runtimestate;

import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.net.URL;

/** The compiled classes, read once. */
final class MainClasses {
  static final JavaClasses ALL = in(RuntimeState.class);
  static final JavaClasses TESTS = in(MainClasses.class);

  private MainClasses() {}

  private static JavaClasses in(Class<?> anyOfThem) {
    URL place = anyOfThem.getProtectionDomain().getCodeSource().getLocation();
    return new ClassFileImporter().importUrl(place);
  }
}
