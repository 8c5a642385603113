package io.runtimestate.eventbus;

import java.util.HashMap;
import java.util.Map;

/** The cases of a sealed type, told apart by a field. */
final class SealedForm implements JsonForm {
  private final Map<Class<?>, ObjectForm> byClass;
  private final Map<Object, ObjectForm> byTag = new HashMap<>();

  SealedForm(Map<Class<?>, ObjectForm> cases) {
    byClass = Map.copyOf(cases);
    byClass.values().forEach(form -> byTag.put(form.tag(), form));
  }

  @Override
  public Object write(Object value) {
    return byClass.get(value.getClass()).write(value);
  }

  @Override
  public Object read(Object json) {
    Object tag = ContainerForms.object(json).get(ObjectForm.TYPE);
    ObjectForm form = tag == null ? null : byTag.get(tag);
    if (form == null) {
      throw new Mismatch(tag == null ? "is required" : "is none of the known cases")
          .in(ObjectForm.TYPE);
    }
    return form.read(json);
  }
}
